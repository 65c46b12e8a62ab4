import { findingsAt } from '#base/findings/finding';
import { shownValue } from '#base/findings/shown-value';
import { PLATFORM_FINDINGS } from './findings';
import { SynthError } from './report';

const SHAPES = {
  map: 'a map',
  list: 'a list',
  text: 'a text',
  path: 'a path',
  function: 'a function',
} as const;

interface Argument {
  readonly name: string;
  readonly value: unknown;
  readonly shape: keyof typeof SHAPES;
  readonly example: string;
}

/**
 * Refuses an argument of a wrong shape, from programs without types or with casts.
 *
 * @throws SynthError which names the argument, before it is used
 */
export function expectShape({ name, value, shape, example }: Argument): void {
  if (hasShape(value, shape)) return;
  const shown = isPromise(value) ? 'a promise' : shownValue(value);
  const problem = PLATFORM_FINDINGS.argumentRefused({ name, value: shown, expected: SHAPES[shape], example });
  throw new SynthError(findingsAt('platform', [problem]));
}

function hasShape(value: unknown, shape: Argument['shape']): boolean {
  if (shape === 'list') return Array.isArray(value);
  if (shape === 'text') return typeof value === 'string';
  // An empty path is the working directory, which is never intended.
  if (shape === 'path') return typeof value === 'string' && value.trim() !== '';
  if (shape === 'function') return typeof value === 'function';
  // Instances of classes may have props as their fields. Promises, Dates and Maps are refused.
  return Object.prototype.toString.call(value) === '[object Object]' && !isPromise(value);
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
