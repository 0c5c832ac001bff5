/**
 * The largest n in 0..most for which `fits(n)`, where whatever fits at n fits at less. Asks for small n first, so that the cost goes with
 * what fits and not with what there is.
 */
export const largest = (most: number, fits: (n: number) => boolean): number => {
  let low = 0;
  let high = 1;
  while (high <= most && fits(high)) {
    low = high;
    high *= 2;
  }
  high = Math.min(high, most + 1);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
};
