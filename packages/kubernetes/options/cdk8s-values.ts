import type { Cron, Duration, Size } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { showValue } from '#base/value-path';
import { KUBERNETES_FINDINGS } from '../findings/findings';

/** The classes of cdk8s whose instances props accept. */
export interface Classes {
  readonly Duration: Duration;
  readonly Cron: Cron;
  readonly Size: Size;
}

export type ClassName = keyof Classes;

const CLASSES: Readonly<Record<ClassName, { readonly has: string; readonly example: string }>> = {
  Duration: { has: 'toMilliseconds', example: "Duration.hours(48), or '48h'" },
  Cron: { has: 'expressionString', example: "Cron.schedule({ minute: '25' })" },
  Size: { has: 'toMebibytes', example: 'Size.gibibytes(10)' },
};

/** Whether a prop has a value of its class: JavaScript may pass a string or a number. */
export function isOfClass<Name extends ClassName>(name: Name, value: unknown): value is Classes[Name] {
  return typeof value === 'object' && value !== null && CLASSES[name].has in value;
}

/** Checks a prop whose value must be of a class, if it is set. */
export function checkClass(name: ClassName, field: string, value: unknown): readonly Problem[] {
  if (value === undefined || isOfClass(name, value)) return [];
  const { example } = CLASSES[name];
  return [KUBERNETES_FINDINGS.wrongTypeClass({ field, value: showValue(value), type: name, example })];
}
