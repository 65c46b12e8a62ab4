import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { isPlain } from '../kubernetes/plain-data';

/** How many characters the texts of known objects may have together before all are forgotten: some dozens of MB. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * Objects by what they are: equal objects become one. The clusters of a fleet are mostly alike, and what follows from an
 * object alone is then found once (see `remembered`).
 */
export class SharedObjects {
  private readonly known = new Map<string, KubernetesObject>();
  /** The copies of objects that nobody can change. */
  private readonly shared = new WeakMap<KubernetesObject, KubernetesObject>();
  private characters = 0;

  constructor(private readonly mostCharacters = MOST_CHARACTERS) {}

  /**
   * Returns the one copy of an object, which nobody can change. What is not plain data stays as it is: its text would
   * not tell it from what is.
   */
  share(object: KubernetesObject): KubernetesObject {
    const shared = this.shared.get(object);
    if (shared !== undefined) return shared;
    if (!isPlain(object)) return object;
    const text = JSON.stringify(object);
    // Read back, so that nobody who had a part in the object has a part in the copy.
    const copy = this.known.get(text) ?? frozen(JSON.parse(text) as KubernetesObject);
    if (!this.known.has(text)) this.add(text, copy);
    // What can be changed yet may be another object the next time.
    if (isFrozen(object)) this.shared.set(object, copy);
    return copy;
  }

  private add(text: string, object: KubernetesObject): void {
    this.characters += text.length;
    if (this.characters > this.mostCharacters) {
      this.known.clear();
      this.characters = text.length;
    }
    this.known.set(text, object);
  }
}

function frozen<T>(data: T): T {
  if (typeof data !== 'object' || data === null) return data;
  for (const member of Object.values(data)) frozen(member);
  return Object.freeze(data);
}

function isFrozen(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return true;
  return Object.isFrozen(data) && Object.values(data).every(isFrozen);
}
