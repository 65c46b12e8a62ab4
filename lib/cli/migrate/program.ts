import type { Reference } from '../../kubernetes/references';
import { type Call, type Code, calledIn, printCode } from './code';

/** `const name = call;`, with an optional remark above it. */
export interface Statement {
  readonly name: string;
  readonly call: Call;
  readonly remark?: string;
}

/** A module with one function that creates a part of a mesh. */
export interface Program {
  readonly name: string;
  /** The second parameter, after `scope`: its name, its class, and that class' type argument. */
  readonly parameter?: { readonly name: string; readonly type: string; readonly argument: string };
  readonly statements: readonly Statement[];
  /** Remarks before the end. */
  readonly remarks?: readonly string[];
  /** Objects to which the constructs refer and which the program does not create. */
  readonly external?: readonly Reference[];
  /** The construct that the function creates last, and returns. */
  readonly result: Call;
}

const FROM_CDK8S = ['Cron', 'Duration'];

/** Formats a module. */
export function printProgram({ name, parameter, statements, remarks = [], external = [], result }: Program): string {
  const second = parameter === undefined ? '' : `, ${parameter.name}: ${parameter.type}<'${parameter.argument}'>`;
  const body = statements.flatMap(({ name, call, remark }) => [
    ...(remark === undefined ? [] : [comment(remark)]),
    `const ${name} = ${printCode(call, '  ')};`,
  ]);
  return [
    ...imports([...statements.map(({ call }) => call), result], parameter?.type),
    '',
    `export function ${name}(scope: Construct${second}) {`,
    ...[...body, ...remarks.map(comment)].map((line) => `  ${line}`),
    `  return ${printCode(result, '  ')};`,
    '}',
    ...externalLines(external),
    '',
  ].join('\n');
}

function externalLines(external: readonly Reference[]): readonly string[] {
  if (external.length === 0) return [];
  return [
    '',
    '/** The objects that have to be in the cluster already: the prop `external` of addCluster. */',
    `export const external = ${printCode(external.map((reference) => ({ ...reference })))} as const;`,
  ];
}

/** Joins lines: all of these characters end a line of TypeScript. */
function comment(text: string): string {
  return `// ${text.replace(/[\r\n\u2028\u2029]+/g, ' ')}`;
}

function imports(codes: readonly Code[], type: string | undefined): readonly string[] {
  const called = [...new Set(codes.flatMap(calledIn))].sort();
  const ours = called.filter((name) => !FROM_CDK8S.includes(name));
  const types = type === undefined || ours.includes(type) ? [] : [`type ${type}`];
  return [
    ...importLine(
      called.filter((name) => FROM_CDK8S.includes(name)),
      'cdk8s',
    ),
    ...importLine([...types, ...ours], 'cdk8s-linkerd'),
    "import type { Construct } from 'constructs';",
  ];
}

function importLine(names: readonly string[], module: string): readonly string[] {
  return names.length === 0 ? [] : [`import { ${names.join(', ')} } from '${module}';`];
}
