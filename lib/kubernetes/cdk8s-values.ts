import type { Cron, Duration, Size } from 'cdk8s';
import { KUBERNETES_FINDINGS } from './findings/findings';
import type { Problem } from './findings/problem';
import { showValue } from './value-path';

/** The classes of cdk8s whose instances props take. */
export interface Classes {
  readonly Duration: Duration;
  readonly Cron: Cron;
  readonly Size: Size;
}

export type ClassName = keyof Classes;

/** By class: a member that tells an instance, of whichever copy of cdk8s, and how one is made. */
const CLASSES: Readonly<Record<ClassName, { readonly has: string; readonly example: string }>> = {
  Duration: { has: 'toMilliseconds', example: 'Duration.hours(48)' },
  Cron: { has: 'expressionString', example: "Cron.schedule({ minute: '25' })" },
  Size: { has: 'toMebibytes', example: 'Size.gibibytes(10)' },
};

/** Tells whether a prop has a value of the class that its type says: code without types may give a text or a number. */
export function isOfClass<Name extends ClassName>(name: Name, value: unknown): value is Classes[Name] {
  return typeof value === 'object' && value !== null && CLASSES[name].has in value;
}

/** Checks a prop that is to be a value of a class; nothing where it is left out. */
export function checkClass(name: ClassName, field: string, value: unknown): readonly Problem[] {
  if (value === undefined || isOfClass(name, value)) return [];
  const { example } = CLASSES[name];
  return [KUBERNETES_FINDINGS.wrongClass({ field, value: showValue(value), type: name, example })];
}
