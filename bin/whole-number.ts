import { InvalidArgumentError } from 'commander';

/** Returns a parser of an option that is a whole number, and not less than one. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`);
  };
}
