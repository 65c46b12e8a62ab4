/**
 * Returns the annotation that restarts the injector when it is set on its pod template: the hash of the configuration,
 * and the Deployment's generation.
 */
export function injectorMark(configHash: string, generation: number): string {
  return `${configHash}.${generation}`;
}

/** Returns the hash of the configuration in an {@link injectorMark}. */
export function markedHash(mark: string | undefined): string | undefined {
  return mark?.split('.')[0];
}
