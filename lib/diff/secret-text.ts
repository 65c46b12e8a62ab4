import { embeddedMap } from '../compare/embedded-text';
import { isSameValue } from '../compare/same-value';
import { clean } from '../compare/without-secrets';
import { SECRET_NAMES } from '../problems/secret-names';
import { isMap, type Value, type Values } from '../releases/values';

/** A value after a name that says that it is a secret, in lines of YAML, INI and the like. */
const SECRET_LINE = new RegExp(
  `^([ \\t]*(?:- )?["']?[\\w.-]*${SECRET_NAMES}["']?[ \\t]*[:=][ \\t]*)(?!["']?["']?[ \\t]*$)(?![|>][-+\\d]*[ \\t]*$)(\\S.*)$`,
  'gim',
);

const HIDDEN = '<hidden>';

/** A value in which secrets are hidden that stand in its texts, or in Secrets within it. */
export function hiddenTexts(value: Value): Value {
  if (typeof value === 'string') return hiddenText(value);
  if (Array.isArray(value)) return value.map(hiddenTexts);
  if (!isMap(value)) return value;
  const isSecret = value.kind === 'Secret';
  return Object.fromEntries(
    Object.entries(value).map(([key, of = null]) => [
      key,
      isSecret && (key === 'data' || key === 'stringData') ? (clean(of, true) as Value) : hiddenTexts(of),
    ]),
  );
}

/** A text without what its lines name as secrets; one that has more of them than lines tell is hidden as a whole. */
function hiddenText(text: string): string {
  if (!text.includes('\n') && !/^\s*[{[]/.test(text)) return text;
  const lines = text.replace(SECRET_LINE, `$1${HIDDEN}`);
  const content = embeddedMap(lines);
  if (content === undefined) return /\bkind["']?[ \t]*:[ \t]*["']?Secret\b/.test(lines) ? HIDDEN : lines;
  return isSameValue(content, clean(hiddenTexts(content), false) as Values) ? lines : HIDDEN;
}
