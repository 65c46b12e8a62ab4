/** Words that YAML 1.1 takes for something else, in the spellings that go-yaml knows. */
const WORDS = new Set(
  ['y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off', 'null']
    .flatMap((word) => [word, word.toUpperCase(), word.replace(/^./, (first) => first.toUpperCase())])
    .concat('', '~', '.nan', '.NaN', '.NAN')
    .concat(['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => `${sign}${word}`))),
);

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|[1-9][0-9]*|0)$/;
/** Minutes and hours to YAML 1.1. go-yaml reads them as text, but spares others the doubt. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const DATE = /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt ].*)?$/;

/** Tells whether go-yaml reads a text without quotes as a string, and writes it so. */
export function isStringInPlain(text: string): boolean {
  if (WORDS.has(text)) return false;
  if (!/^[-+.0-9]/.test(text)) return true;
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  return ![FLOAT, INTEGER].some((form) => form.test(digits)) && !BASE_60.test(text) && !isDate(text);
}

function isDate(text: string): boolean {
  const [, year = '', month = '', day = ''] = DATE.exec(text) ?? [];
  if (year === '') return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && hasTime(text);
}

function hasTime(text: string): boolean {
  const time = text.replace(/^[0-9-]+/, '');
  if (time === '') return true;
  const clock = '(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:\\.[0-9]+)?';
  return new RegExp(`^(?:[Tt]${clock}(?:Z|[-+][0-9]{2}:[0-9]{2})| ${clock})$`).test(time);
}
