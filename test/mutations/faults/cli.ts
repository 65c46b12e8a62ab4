import type { Fault } from '../fault';

export const cli: readonly Fault[] = [
  {
    file: 'lib/cli/set-flag.ts',
    from: 'while (list.length <= step) list.push(null);',
    to: '',
    why: 'gaps of a list are not filled',
  },
  {
    file: 'lib/cli/set-flag.ts',
    from: "text += character === '\\\\' ? this.next() : character;",
    to: "text += character === '\\\\' ? character + this.next() : character;",
    why: 'the backslash of an escape stays',
  },
  {
    file: 'lib/cli/values-layers.ts',
    from: 'const typed = withFlags(json, layers.typed, typedText);\n  const strings = withFlags(typed, layers.strings, (text) => text);\n  return withFlags(strings, layers.contents, readFile);',
    to: 'const strings = withFlags(json, layers.strings, (text) => text);\n  const typed = withFlags(strings, layers.typed, typedText);\n  return withFlags(typed, layers.contents, readFile);',
    why: '--set comes after --set-string',
  },
  {
    file: 'lib/cli/values-layers.ts',
    from: 'return Number.isSafeInteger(number) ? number : text;',
    to: 'return number;',
    why: 'a large number is rounded',
  },
  {
    file: 'lib/cli/migrate/remaining-values.ts',
    from: 'return Object.keys(left).length === 0 ? rest : { ...values, [key]: left };',
    to: 'return { ...values, [key]: left };',
    why: 'a map whose values were all taken remains, empty',
  },
  {
    file: 'lib/cli/migrate/code.ts',
    from: 'inside.replaceAll("\'", "\\\\\'")',
    to: 'inside',
    why: 'a quote ends the text of a printed program',
  },
  {
    file: 'lib/cli/migrate/code.ts',
    from: '[code.root, ...code.args.flatMap(calledIn)]',
    to: '[code.root]',
    why: 'calls within a call are not imported',
  },
  {
    file: 'lib/cli/bridge-request.ts',
    from: 'return left - Math.min(7 * DAY, left / 20);',
    to: 'return left - Math.max(7 * DAY, left / 20);',
    why: 'a bridge is signed for too short a time',
  },
  {
    file: 'lib/cli/bridge-request.ts',
    from: 'certificates.length === 0 || certificates.length < blocks.length || pem.length > MAX_BRIDGE_LENGTH',
    to: 'certificates.length === 0 || pem.length > MAX_BRIDGE_LENGTH',
    why: 'a broken certificate among others is left out',
  },
  {
    file: 'lib/cli/artifacts.ts',
    from: 'found !== undefined && charts.get(key)?.isKnown !== false',
    to: 'found !== undefined',
    why: 'the images of a chart count as known if the last cluster names them',
  },
  {
    file: 'bin/ring-choice.ts',
    from: 'return later.damage === undefined ? later.ring : indexIn(before, name).ring;',
    to: 'return later.ring;',
    why: 'a damaged index hides a cluster of a ring',
  },
  {
    file: 'bin/values-options.ts',
    from: "return [...before, ...value.split(',')];",
    to: 'return [...before, value];',
    why: 'a list of files is one file',
  },
  {
    file: 'bin/out-file.ts',
    from: 'earlier.isFile() && earlier.nlink === 1 &&',
    to: 'earlier.isFile() &&',
    why: 'a file with several hard links is replaced under one name only',
  },
  {
    file: 'bin/terminal.ts',
    from: "mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be'",
    to: "mark === 'fffe' ? 'utf-16be' : mark === 'feff' ? 'utf-16le'",
    why: 'the bytes of UTF-16 are swapped',
  },
  {
    file: 'bin/kubectl.ts',
    from: '`"${path.replaceAll(\'"\', \'""\')}"`',
    to: '`"${path}"`',
    why: 'a quote in the path of a file is not escaped',
  },
];
