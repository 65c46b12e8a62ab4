import { isImageName, isImageTag } from '../kubernetes/image-reference';
import type { Problem } from '../kubernetes/problem';
import { lineScalar } from '../kubernetes/yaml-scalar';
import type { TextCheck } from './value-type';

const WRITTEN_AS_IT_IS =
  'The injector writes it into the pod as it is, without quotes: it would mesh no pod any more, or one that nodes do not start';

function form(code: string, isRight: (text: string) => boolean, fix: string, why = WRITTEN_AS_IT_IS): TextCheck {
  return (field, text): readonly Problem[] =>
    isRight(text)
      ? []
      : [
          {
            code,
            about: field,
            what: `${field} is ${shownText(text)}`,
            why,
            fix: `write ${fix}`,
          },
        ];
}

const LONGEST_SHOWN = 80;

/** A text for a message, which may be as long as a value can be. */
export function shownText(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}

/** The name of an image without its tag. */
export const checkImageName = form(
  'image-name-refused',
  isImageName,
  'the name of an image without its tag, "cr.l5d.io/linkerd/proxy" for instance',
);

/** The tag of an image. */
export const checkImageTag = form('image-tag-refused', isImageTag, 'the tag of an image, "edge-26.8.3" for instance');

/** Text that YAML reads as text where it stands without quotes. */
export const checkPlainText = form(
  'text-needs-quotes',
  (text) => lineScalar(text) === text,
  'text that YAML takes for one without quotes: a name, an address',
);

/** A DNS domain, at the end of names. */
export const checkDomain = form(
  'domain-refused',
  (text) => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text) && lineScalar(text) === text,
  'a DNS domain, "cluster.local" for instance',
);

/** Text on one line. */
export const checkOneLine = form(
  'text-not-on-one-line',
  (text) => !/[\p{Cc}\u2028\u2029\ufeff]/u.test(text) && text.isWellFormed(),
  'it on one line, without control characters',
);

/** An absolute path. */
export const checkPath = form(
  'path-refused',
  (text) => /^\/[\w./-]*$/.test(text),
  'an absolute path of letters, digits and "-", "_", ".", "/"',
);

/** The address of a socket: an IP address and a port, as Rust reads them. */
export const checkSocketAddress = form(
  'socket-address-refused',
  (text) => /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\]):\d{1,5}$/.test(text),
  'an IP address and a port: "0.0.0.0:4140" or "[::]:4140" for instance',
  'The network validator does not start with what it cannot read, and no pod with it',
);

/** One of the words, and nothing else. */
export function checkWord(...words: readonly string[]): TextCheck {
  return form('not-one-of', (text) => words.includes(text), `one of ${words.map((word) => `"${word}"`).join(', ')}`);
}

/** Two checks, of which the second has its say where the first finds nothing. */
export function bothOf(first: TextCheck, second: TextCheck): TextCheck {
  return (field, text) => {
    const problems = first(field, text);
    return problems.length > 0 ? problems : second(field, text);
  };
}
