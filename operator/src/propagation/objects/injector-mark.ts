/**
 * Returns the annotation of the injector's pod template: the configuration for which it restarts, and its generation.
 */
export function injectorMark(configHash: string, generation: number): string {
  return `${configHash}.${generation}`;
}

/** Returns the configuration in an {@link injectorMark}. */
export function markedHash(mark: string | undefined): string | undefined {
  return mark?.split('.')[0];
}
