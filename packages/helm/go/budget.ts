import { MAX_DEPTH } from '#base/max-depth';
import { compareStrings } from './go-string';
import { elementsOf, entriesOf, isGoObject } from './reflect';
import { type Budget, FunctionError, type GoFunction, type GoValue } from './values';

/** What a render may consume. Time has no limit: the result for a chart must not depend on the machine. */
export interface RenderLimits {
  /**
   * Steps: one for each executed node, iteration and call, and for data that a function reads or creates. A step pays
   * for five characters, or for a part of an element. So the limit bounds both time and memory of a render.
   */
  readonly steps: number;
  /** Nesting of executed templates, blocks and calls: a template in another one takes three levels. */
  readonly depth: number;
  /** Characters that all templates print together. */
  readonly outputLength: number;
}

/** The default limits: all public charts that were tested take less than a third of them. */
const LIMITS: RenderLimits = { steps: 20_000_000, depth: 800, outputLength: 2 ** 24 };

/** Thrown if a chart exceeds a limit. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** Counts what a chart consumes, and stops it at the limits. */
export class RenderBudget implements Budget {
  private steps = 0;
  private depth = 0;
  private outputLength = 0;
  private readonly limits: RenderLimits;

  constructor(limits: Partial<RenderLimits> = {}) {
    this.limits = { ...LIMITS, ...limits };
  }

  /** The steps so far. */
  get spent(): number {
    return this.steps;
  }

  readonly spend = (steps: number): void => {
    this.steps += steps;
    if (this.steps > this.limits.steps) throw new LimitError(`the chart takes more than ${this.limits.steps} steps`);
  };

  /** Enters a template, block or call. @throws LimitError at the limit of depth, long before the stack is full */
  enter(levels = 1): void {
    this.depth += levels;
    if (this.depth > this.limits.depth) {
      throw new LimitError(`templates, blocks and calls nest more than ${this.limits.depth} levels deep`);
    }
  }

  /** Ends what `enter` began. Not needed after an error, which ends the whole render. */
  leave(levels = 1): void {
    this.depth -= levels;
  }

  /** Adds printed characters. @throws LimitError at the limit of output */
  print(characters: number): void {
    this.outputLength += characters;
    if (this.outputLength > this.limits.outputLength) {
      throw new LimitError(`the templates print more than ${this.limits.outputLength} characters`);
    }
  }
}

/** A budget for readers with other limits: of the user's own files, and of indexes of repositories. */
export const UNLIMITED: Budget = { spend: () => undefined };

/** The characters that a step pays for. */
export const CHARACTERS_PER_STEP = 5;

const READ_PER_STEP = 4;

const STEPS_PER_ELEMENT = 4;
export const STEPS_PER_ENTRY = 8;
const STEPS_PER_METHOD = 10;

/**
 * Calls a function, and spends steps by the size of its arguments and result. All functions are called here, so none
 * can skip these steps. A function itself spends the steps for nested lists and maps, and for more than constant work
 * for each character or element.
 */
export function invoke({ call }: GoFunction, args: readonly GoValue[], budget: Budget): GoValue {
  let steps = 1;
  for (const argument of args) steps += stepsToRead(argument);
  budget.spend(steps);
  const result = call(args, budget);
  if (!args.includes(result)) budget.spend(stepsToMake(result));
  return result;
}

function stepsToRead(value: GoValue): number {
  if (typeof value === 'string') return value.length / CHARACTERS_PER_STEP;
  if (typeof value !== 'object' || value === null) return 0;
  if (isGoObject(value) && value.bytes !== undefined) return value.bytes.length / CHARACTERS_PER_STEP;
  return (elementsOf(value)?.length ?? entriesOf(value)?.size ?? 0) / READ_PER_STEP;
}

/** Returns the steps to create a value, without the steps for the content of its elements. */
export function stepsToMake(value: GoValue): number {
  if (typeof value === 'string') return value.length / CHARACTERS_PER_STEP;
  if (typeof value !== 'object' || value === null) return 0;
  const object = isGoObject(value) ? value : undefined;
  if (object?.bytes !== undefined) return object.bytes.length / CHARACTERS_PER_STEP;
  const elements = elementsOf(value);
  const entries = entriesOf(value);
  const methods = (object?.methods.size ?? 0) * STEPS_PER_METHOD;
  if (entries !== undefined) return methods + STEPS_PER_ENTRY * (1 + entries.size);
  return methods + (elements?.length ?? 0) * STEPS_PER_ELEMENT;
}

/** Sorts texts in place, by their bytes. */
export function sortTexts(texts: string[], budget: Budget): string[] {
  const rounds = Math.log2(texts.length + 1);
  budget.spend((texts.reduce((sum, { length }) => sum + 10 + length / 20, 0) * rounds) / CHARACTERS_PER_STEP);
  return texts.sort(compareStrings);
}

/** @throws LimitError if a value is nested too deeply, e.g. a map to which `set` added itself */
export function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) {
    throw new LimitError(`a value is nested more than ${MAX_DEPTH} levels deep, or contains itself`);
  }
}

/** Maximum length of a function's result, in UTF-16 units. Helm needs less: a release must fit into 1 MB. */
const MAX_TEXT_LENGTH = 8 * 1024 * 1024;

const MAX_LIST_LENGTH = 1024 * 1024;

/** Checks a length before the text is built. @throws FunctionError if it is over the limit */
export function checkLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) {
    throw new FunctionError(`the result has ${length} characters, more than the limit of ${MAX_TEXT_LENGTH}`);
  }
}

/** Checks a length before the list is built. @throws FunctionError if it is over the limit */
export function checkCount(length: number): void {
  if (length > MAX_LIST_LENGTH) {
    throw new FunctionError(`the result has ${length} elements, more than the limit of ${MAX_LIST_LENGTH}`);
  }
}

const CHARACTERS_WRITTEN_PER_STEP = 4;
/** For writers that print bytes as lists of numbers. */
export const STEPS_PER_LISTED_BYTE = 2;

/**
 * Spends the steps to write a value and everything in it, before it is written. A byte costs what the writer takes for
 * it. @throws LimitError if the value is nested too deeply
 */
export function spendToWrite(value: GoValue, budget: Budget, stepsPerByte = 1 / CHARACTERS_WRITTEN_PER_STEP): void {
  spendAt(value, { budget, stepsPerByte }, 0);
}

interface Writing {
  readonly budget: Budget;
  readonly stepsPerByte: number;
}

function spendAt(value: GoValue, writing: Writing, depth: number): void {
  checkDepth(depth);
  const { budget } = writing;
  if (typeof value === 'string') budget.spend(1 + value.length / CHARACTERS_WRITTEN_PER_STEP);
  else budget.spend(2);
  if (value instanceof Map) {
    const rounds = Math.log2(value.size + 1);
    for (const [key, element] of value) {
      budget.spend(((1 + key.length / CHARACTERS_WRITTEN_PER_STEP) * (1 + rounds)) / 2);
      spendAt(element, writing, depth + 1);
    }
  } else if (Array.isArray(value)) {
    for (const element of value as readonly GoValue[]) spendAt(element, writing, depth + 1);
  } else if (isGoObject(value)) {
    if (value.bytes !== undefined) budget.spend(value.bytes.length * writing.stepsPerByte);
    else spendAt(value.data, writing, depth + 1);
  }
}

/** Counts the characters that a writer writes for a value. Indentation may make them far more than the value has. */
export class Room {
  private left = MAX_TEXT_LENGTH;

  /** Takes room for characters. @throws LimitError if none is left */
  take(characters: number): void {
    this.left -= characters;
    if (this.left < 0) throw new LimitError(`a value takes more than ${MAX_TEXT_LENGTH} characters`);
  }
}
