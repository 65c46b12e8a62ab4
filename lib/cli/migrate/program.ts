import { describeProblem, type Problem } from '#base/findings/problem';
import type { Reference } from '../../kubernetes/references';
import { type Call, type Code, calledIn, Name, printCode, type Statement } from './code';
import type { MigratedPart } from './migration';

/** A module with one function that creates a part of a mesh. */
interface Program {
  readonly name: string;
  /** The second parameter, after `scope`: its name, its class, and that class' type argument. */
  readonly parameter?: { readonly name: string; readonly type: string; readonly argument: string };
  readonly statements: readonly Statement[];
  /** Calls after these. */
  readonly after?: readonly Call[];
  /** Remarks before the end. */
  readonly remarks?: readonly string[];
  /** Objects to which the constructs refer and which the program does not create. */
  readonly external?: readonly Reference[];
  /** What the function returns: the construct that it creates last, or all of them by name. */
  readonly result: Call | Readonly<Record<string, Name>>;
}

/** Returns the comment of a program about what it leaves out. */
export function leftOutRemark(problem: Problem): string {
  return `Left out: ${describeProblem(problem)}`;
}

/** Formats a module with one function, which creates and returns all parts. */
export function printParts(parts: readonly MigratedPart[], release: string): string {
  const isWhole = parts.some(({ variable }) => variable === 'controlPlane');
  const needs = !isWhole && parts.some(({ needsControlPlane }) => needsControlPlane === true);
  const parameter = { name: 'controlPlane', type: 'LinkerdControlPlane', argument: release };
  const common = {
    ...(needs && { parameter }),
    remarks: parts.flatMap(({ remarks }) => remarks),
    external: distinct(parts.flatMap(({ external }) => external)),
  };
  const after = parts.flatMap((part) => part.after ?? []);
  const [only, second] = parts;
  if (only !== undefined && second === undefined && after.length === 0) {
    const { name, statements, result, remark, above = [] } = only;
    const remarks = [...common.remarks, ...above, ...(remark === undefined ? [] : [remark])];
    return printProgram({ name, statements, result, ...common, remarks });
  }
  const statements = parts.flatMap(({ statements: before, variable, result, remark, above }) => [
    ...before,
    { name: variable, call: result, ...(remark !== undefined && { remark }), ...(above && { remarks: above }) },
  ]);
  const result = Object.fromEntries(parts.map(({ variable }) => [variable, new Name(variable)]));
  return printProgram({ name: 'linkerd', statements, after, result, ...common });
}

function distinct(references: readonly Reference[]): readonly Reference[] {
  return [...new Map(references.map((reference) => [JSON.stringify(reference), reference])).values()];
}

const FROM_CDK8S = ['Cron', 'Duration'];

/** Formats a module. */
function printProgram(program: Program): string {
  const { name, parameter, statements, after = [], remarks = [], external = [], result } = program;
  const second = parameter === undefined ? '' : `, ${parameter.name}: ${parameter.type}<'${parameter.argument}'>`;
  const body = [
    ...statements.flatMap(({ name, call, remark, remarks: further = [] }) => [
      ...[...further, ...(remark === undefined ? [] : [remark])].map(comment),
      `const ${name} = ${printCode(call, '  ')};`,
    ]),
    ...after.map((call) => `${printCode(call, '  ')};`),
  ];
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
