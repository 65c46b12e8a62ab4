/** Annotation of the injector's pod template: the configuration it is restarted for, and of which generation that is. */
export function injectorMark(configHash: string, generation: number): string {
  return `${configHash}.${generation}`;
}

/** The configuration in what {@link injectorMark} made. */
export function markedHash(mark: string | undefined): string | undefined {
  return mark?.split('.')[0];
}
