const MIN = 1 << 16;

/** Whole numbers in the order in which they were added, of four bytes each. */
export class Numbers {
  private held = new Int32Array(MIN);
  length = 0;

  push(value: number): void {
    if (this.length === this.held.length) {
      const more = new Int32Array(2 * this.length);
      more.set(this.held);
      this.held = more;
    }
    this.held[this.length++] = value;
  }

  at(index: number): number {
    return this.held[index] ?? -1;
  }
}

/**
 * Numbers texts in the order of their first arrival. It stores a 64-bit hash of each: among ten million different
 * texts, two have the same hash with a probability of 3 in a million.
 */
export class HashTable {
  private slots = new Int32Array(MIN).fill(-1);
  private readonly high = new Numbers();
  private readonly low = new Numbers();

  get size(): number {
    return this.high.length;
  }

  /** Returns the number of a text, a new one if it was not known. */
  add(text: string): number {
    const [high, low] = hash(text);
    const slot = this.slotOf(high, low);
    const number = this.slots[slot] ?? -1;
    if (number >= 0) return number;
    this.slots[slot] = this.size;
    this.high.push(high);
    this.low.push(low);
    if (this.size * 2 > this.slots.length) this.grow();
    return this.size - 1;
  }

  private slotOf(high: number, low: number): number {
    const mask = this.slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot] ?? -1;
      if (number < 0 || (this.low.at(number) === low && this.high.at(number) === high)) return slot;
    }
  }

  private grow(): void {
    this.slots = new Int32Array(2 * this.slots.length).fill(-1);
    for (let number = 0; number < this.size; number++) {
      this.slots[this.slotOf(this.high.at(number), this.low.at(number))] = number;
    }
  }
}

/** Two hashes of 32 bits, each of which depends on every character (cyrb53's mixing). */
function hash(text: string): readonly [number, number] {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return [one | 0, two | 0];
}
