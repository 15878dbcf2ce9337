/** The number that an option gives. Text that is not a number is returned unchanged, so that the error that refuses it can show it. */
export function numberOrText(text: string): number {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : (text as unknown as number);
}
