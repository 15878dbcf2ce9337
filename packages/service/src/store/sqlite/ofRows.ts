import type Database from "libsql";

/** Values as the thread is given them: rows follow one another in one list. */
export type Values = readonly (string | number | null)[];

/** Rows that one statement takes, from large to small. Statements of many rows cost half as much per row, and every number is a sum of these. */
const SIZES = [64, 32, 16, 8, 4, 2, 1];

/** A statement that takes any number of rows; `sql` writes it for some rows. Returns a function that runs it and returns how many rows it changed. */
export function ofRows(database: Database.Database, width: number, sql: (rows: string) => string): (values: Values) => number {
  const row = `(${Array.from({ length: width }, () => "?").join(", ")})`;
  const statements = SIZES.map((size) => ({
    taken: size * width,
    statement: database.prepare(sql(Array.from({ length: size }, () => row).join(", "))),
  }));
  return (values) => {
    let [from, changes] = [0, 0];
    for (const { taken, statement } of statements)
      for (; values.length - from >= taken; from += taken) changes += statement.run(values.slice(from, from + taken)).changes;
    return changes;
  };
}
