/** Waits until `check` holds, looking again every 20 ms. */
export const until = async (check: () => boolean | Promise<boolean>, what: string, ms = 30_000): Promise<void> => {
  const end = Date.now() + ms;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
