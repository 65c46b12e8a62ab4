import type { Problem } from '#base/findings/problem';
import { isImageName, isImageTag } from '#base/image-reference';
import { shortened } from '#base/shortened';
import { lineScalar } from '#base/yaml-scalar';
import { INJECTION_FINDINGS } from './findings';
import type { TextCheck } from './value-type';

function form(
  isRight: (text: string) => boolean,
  expected: string,
  refuse: (
    ...refused: Parameters<typeof INJECTION_FINDINGS.injectedValueRefusedText>
  ) => Problem = INJECTION_FINDINGS.injectedValueRefusedText,
): TextCheck {
  return (field, text): readonly Problem[] =>
    isRight(text) ? [] : [refuse({ field, value: shownText(text), expected }, { about: field })];
}

const MAX_SHOWN_LENGTH = 80;

/** Shortens a string for a message, because values can be long. */
export function shownText(text: string): string {
  return JSON.stringify(shortened(text, MAX_SHOWN_LENGTH));
}

/** The name of an image without its tag. */
export const checkImageName = form(
  isImageName,
  'the name of an image without its tag, such as "cr.l5d.io/linkerd/proxy"',
);

/** The tag of an image. */
export const checkImageTag = form(isImageTag, 'the tag of an image, such as "edge-26.8.3"');

/** Text that YAML reads as a string without quotes. */
export const checkPlainText = form(
  (text) => lineScalar(text) === text,
  'text that YAML reads as a string without quotes, such as a name or an address',
);

/** A DNS domain, as the suffix of names. */
export const checkDomain = form(
  (text) => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text) && lineScalar(text) === text,
  'a DNS domain, such as "cluster.local"',
);

/** Text on one line. */
export const checkOneLine = form(
  (text) => !/[\p{Cc}\u2028\u2029\ufeff]/u.test(text) && text.isWellFormed(),
  'one line without control characters',
);

/** An absolute path. */
export const checkPath = form(
  (text) => /^\/[\w./-]*$/.test(text),
  'an absolute path of letters, digits and "-", "_", ".", "/"',
);

/** The address of a socket: an IP address and a port, as Rust parses them. */
export const checkSocketAddress = form(
  (text) => /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\]):\d{1,5}$/.test(text),
  'an IP address and a port, such as "0.0.0.0:4140" or "[::]:4140"',
  INJECTION_FINDINGS.injectedValueRefusedSocketAddress,
);

/** Exactly one of the words. */
export function checkWord(...words: readonly string[]): TextCheck {
  return form((text) => words.includes(text), `one of ${words.map((word) => `"${word}"`).join(', ')}`);
}

/** Combines two checks; the second runs if the first finds nothing. */
export function bothOf(first: TextCheck, second: TextCheck): TextCheck {
  return (field, text) => {
    const problems = first(field, text);
    return problems.length > 0 ? problems : second(field, text);
  };
}
