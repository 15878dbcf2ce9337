/** Whether a cell is a number in decimal notation: Number() would take 0x10 and Infinity too. */
export function isNumeric(cell: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(cell);
}
