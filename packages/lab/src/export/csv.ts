/** The value of a CSV field; null is an empty field. */
export type CsvValue = string | number | null;

/** One line of CSV (RFC 4180), with its line end. Fields that contain a comma, a quote or a line break are quoted. */
export function csvLine(fields: readonly CsvValue[]): string {
  return `${fields.map(csvField).join(",")}\r\n`;
}

function csvField(field: CsvValue): string {
  if (field === null) return "";
  const text = String(field);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
