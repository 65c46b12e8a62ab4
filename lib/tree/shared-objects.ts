import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { deepFreeze, isPlain } from '../kubernetes/plain-data';

/**
 * The number of characters that the texts of known objects may have together before all are forgotten: some dozens of
 * MB.
 */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/**
 * Objects by what they are: equal objects become one. The clusters of a fleet are mostly alike, and what follows from an
 * object alone is then found once (see `remembered`).
 */
export class SharedObjects {
  private readonly known = new Map<string, KubernetesObject>();
  /** The known objects by the texts of their sources. */
  private readonly knownBySource = new Map<string, KubernetesObject>();
  /** The known objects by those sources that stay as they are. */
  private readonly knownByIdentity = new WeakMap<KubernetesObject, KubernetesObject>();
  private characters = 0;

  constructor(private readonly mostCharacters = MOST_CHARACTERS) {}

  /**
   * Returns the one copy of an object, which nobody can change. What is not plain data stays as it is: its text would
   * not tell it from what is.
   */
  share(object: KubernetesObject): KubernetesObject {
    if (!isPlain(object)) return object;
    const text = JSON.stringify(object);
    const known = this.known.get(text);
    if (known !== undefined) return known;
    // Read back, so that nobody who had a part in the object has a part in the copy.
    const copy = deepFreeze(JSON.parse(text) as KubernetesObject);
    this.add(text, copy);
    return copy;
  }

  /** The copy of the object that was made of a source, or of one that is equal to it, if it is known. */
  sharedOf(source: KubernetesObject): KubernetesObject | undefined {
    return this.knownByIdentity.get(source) ?? this.knownBySource.get(JSON.stringify(source));
  }

  /** Shares an object that follows from a source alone, which is plain data. */
  shareOf(source: KubernetesObject, object: KubernetesObject): KubernetesObject {
    const copy = this.share(object);
    if (!Object.isFrozen(copy)) return copy;
    if (Object.isFrozen(source)) {
      this.knownByIdentity.set(source, copy);
      return copy;
    }
    const text = JSON.stringify(source);
    // Data that is no number has the same text as null.
    if (!text.includes('null')) {
      this.count(text);
      this.knownBySource.set(text, copy);
    }
    return copy;
  }

  private add(text: string, object: KubernetesObject): void {
    this.count(text);
    this.known.set(text, object);
  }

  private count({ length }: string): void {
    this.characters += length;
    if (this.characters <= this.mostCharacters) return;
    this.known.clear();
    this.knownBySource.clear();
    this.characters = length;
  }
}
