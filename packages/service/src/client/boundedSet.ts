/** A set that forgets its oldest members when it is full. */
export class BoundedSet {
  readonly #members = new Set<string>();

  constructor(readonly most: number) {}

  has(member: string): boolean {
    return this.#members.has(member);
  }

  add(member: string): void {
    this.#members.delete(member);
    this.#members.add(member);
    for (const oldest of this.#members) {
      if (this.#members.size <= this.most) return;
      this.#members.delete(oldest);
    }
  }

  delete(member: string): void {
    this.#members.delete(member);
  }
}
