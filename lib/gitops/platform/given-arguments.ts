import { shownValue } from '../../../operator/api/kubernetes/shown-value';
import { errorsAt } from '../../kubernetes/findings/finding';
import { PLATFORM_FINDINGS } from './findings';
import { SynthError } from './report';

/** The shapes of arguments, and how messages call them. */
const SHAPES = {
  map: 'a map',
  list: 'a list',
  text: 'a text',
  path: 'a path',
  function: 'a function',
  count: 'a number from 1',
} as const;

/** An argument of a method of Platform. */
interface Argument {
  /** The name by which a message calls it: `outdir`. */
  readonly name: string;
  readonly value: unknown;
  readonly shape: keyof typeof SHAPES;
  /** A call in which it is right. */
  readonly example: string;
}

/**
 * Refuses an argument that programs without types, or with casts, give in a wrong shape.
 *
 * @throws SynthError which names the argument, before anything is made of it
 */
export function expectShape({ name, value, shape, example }: Argument): void {
  if (hasShape(value, shape)) return;
  const shown = isPromise(value) ? 'a promise' : shownValue(value);
  const problem = PLATFORM_FINDINGS.argumentRefused({ name, value: shown, expected: SHAPES[shape], example });
  throw new SynthError(errorsAt('platform', [problem]));
}

function hasShape(value: unknown, shape: Argument['shape']): boolean {
  if (shape === 'list') return Array.isArray(value);
  if (shape === 'text') return typeof value === 'string';
  // An empty one is the working directory, which nobody means.
  if (shape === 'path') return typeof value === 'string' && value.trim() !== '';
  if (shape === 'count') return Number.isSafeInteger(value) && (value as number) >= 1;
  if (shape === 'function') return typeof value === 'function';
  // Instances of classes may have props as their fields; promises, dates and maps of JavaScript have other names here.
  return Object.prototype.toString.call(value) === '[object Object]' && !isPromise(value);
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
