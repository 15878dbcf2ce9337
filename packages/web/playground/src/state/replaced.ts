/** A list with another item in one place. */
export function replaced<Item>(list: readonly Item[], place: number, item: Item): Item[] {
  return list.map((other, i) => (i === place ? item : other));
}

/** A list without the item in one place. */
export function removed<Item>(list: readonly Item[], place: number): Item[] {
  return list.filter((_, i) => i !== place);
}
