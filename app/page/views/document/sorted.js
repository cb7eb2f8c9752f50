// Searches sorted lists.

/**
 * The first position for which `isBefore` is false; `length` if there is none.
 * @param {number} length @param {(position: number) => boolean} isBefore true for a beginning of the list, then false
 */
export function firstNot(length, isBefore) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
