/** What some of PostgreSQL's codes mean for whoever runs the service. The others speak for themselves. */
const REASONS: Readonly<Record<string, string>> = {
  "53100": "the disk of the server is full; make room",
  "57014": "it took too long",
  "57P05": "the turn took too long, so that the server ended it",
  "25006": "the server is read-only, perhaps a standby; name the primary",
  ECONNREFUSED: "nobody listens there; start PostgreSQL, or check host and port",
};

export function postgresReason(error: unknown): string {
  // Several addresses of one name were tried; the error that says so has no text.
  if (error instanceof AggregateError && error.message === "") return error.errors.map(postgresReason).join(", ");
  const { code, message } = error as { code?: string; message?: string };
  const reason = REASONS[code ?? ""];
  const told = message ?? String(error);
  return reason === undefined ? told : `${reason} (${told})`;
}
