import { describeProblem, type Problem } from '#base/findings/problem';
import type { Reference } from '#kubernetes/objects/references';
import { type Code, calledIn, Name, printCode, type Statement } from './code';
import type { MigratedPart } from './migration';

/** Returns the comment about a part that a program leaves out. */
export function leftOutRemark(problem: Problem): string {
  return `Left out: ${describeProblem(problem)}`;
}

/** Formats a module with one function, which creates all parts, and returns the construct, or several by name. */
export function printParts(parts: readonly MigratedPart[], release: string): string {
  const after = parts.flatMap((part) => part.after ?? []);
  const only = parts.length === 1 && after.length === 0 ? parts[0] : undefined;
  const isWhole = parts.some(({ variable }) => variable === 'controlPlane');
  const type = !isWhole && parts.some((part) => part.needsControlPlane) ? 'LinkerdControlPlane' : undefined;
  const parameter = type === undefined ? '' : `, controlPlane: ${type}<'${release}'>`;
  const statements = parts.flatMap((part): readonly Statement[] => {
    if (part === only) return part.statements;
    return [...part.statements, { name: part.variable, call: part.result, remarks: part.above ?? [] }];
  });
  const result: Code = only?.result ?? Object.fromEntries(parts.map(({ variable }) => [variable, new Name(variable)]));
  const body = [
    ...statements.flatMap(({ name, call, remarks = [] }) => [
      ...remarks.map(comment),
      `const ${name} = ${printCode(call, '  ')};`,
    ]),
    ...after.map((call) => `${printCode(call, '  ')};`),
    ...[...parts.flatMap(({ remarks }) => remarks), ...(only?.above ?? [])].map(comment),
    `return ${printCode(result, '  ')};`,
  ];
  return [
    ...imports([...statements.map(({ call }) => call), result], type),
    '',
    `export function ${only?.name ?? 'linkerd'}(scope: Construct${parameter}) {`,
    ...body.map((line) => `  ${line}`),
    '}',
    ...externalLines(distinct(parts.flatMap(({ external }) => external))),
    '',
  ].join('\n');
}

function distinct(references: readonly Reference[]): readonly Reference[] {
  return [...new Map(references.map((reference) => [JSON.stringify(reference), reference])).values()];
}

const FROM_CDK8S = ['Cron', 'Duration'];

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
