import time

started = time.perf_counter()

from .supervisor import main  # noqa: E402  (the clock starts before the imports)

main(started)
