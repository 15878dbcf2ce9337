import type Database from "libsql";

/** Columns of an event beside its bandit, as they are passed to the thread. */
const WIDTH = 9;
/** Rows that one statement writes, from large to small. Statements of many rows cost half as much per row, and every number is a sum of these. */
const SIZES = [64, 32, 16, 8, 4, 2, 1];

/** Returns a function that inserts the events of a bandit, whose columns follow one another in one list. */
export function insertEvents(database: Database.Database): (bandit: number, columns: readonly (string | number | null)[]) => void {
  const row = (_: unknown, index: number) => `(?1${Array.from({ length: WIDTH }, (_, column) => `, ?${2 + index * WIDTH + column}`).join("")})`;
  const statements = SIZES.map((size) => ({
    width: size * WIDTH,
    statement: database.prepare(
      `INSERT INTO event (bandit, seq, kind, decision, origin, slot, segment, at, body, hash) VALUES ${Array.from({ length: size }, row).join(", ")}`,
    ),
  }));
  return (bandit, columns) => {
    let from = 0;
    for (const { width, statement } of statements) {
      for (; columns.length - from >= width; from += width) statement.run([bandit, ...columns.slice(from, from + width)]);
    }
  };
}
