/** The number that an option gives. What is no number goes on as it is, to be refused by name. */
export function numberOrText(text: string): number {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : (text as unknown as number);
}
