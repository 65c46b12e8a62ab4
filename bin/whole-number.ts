import { InvalidArgumentError } from 'commander';

/** Returns a parser for an option with a whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };
}
