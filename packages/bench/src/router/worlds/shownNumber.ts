/** A number with so many digits after the point. A small negative one is not shown as "-0.00". */
export function shownNumber(value: number, digits: number): string {
  return value.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
}
