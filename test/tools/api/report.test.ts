import { declarationsIn } from '../../../tools/api/declarations';
import { apiDocument, entriesOf } from '../../../tools/api/report';

const entriesFrom = (files: Readonly<Record<string, string>>) =>
  entriesOf(
    declarationsIn((path) => files[path] ?? ''),
    { lib: 'lib/index.d.ts' },
  );

const signatures = (files: Readonly<Record<string, string>>) => entriesFrom(files).map(({ signature }) => signature);

describe('entriesOf', () => {
  it('shows public members by their order of names, without docs', () => {
    const mesh = `
      import { Construct } from 'constructs';
      /** A mesh. */
      export declare class Mesh extends Construct {
        private readonly secret;
        #key;
        protected own: string;
        readonly version: string;
        /** Adds a pod. */
        add(pod: string): void;
        add(pod: string, port: number): void;
        static of(scope: Construct): Mesh;
        constructor(scope: Construct, { name }: { readonly name: string });
      }
      export {};`;
    const index = "export { Mesh } from './mesh';";
    expect(signatures({ 'lib/index.d.ts': index, 'lib/mesh.d.ts': mesh })).toEqual([
      [
        'class Mesh extends Construct {',
        '  constructor(scope: Construct, props: {',
        '    readonly name: string;',
        '  });',
        '  static of(scope: Construct): Mesh;',
        '  add(pod: string): void;',
        '  add(pod: string, port: number): void;',
        '  readonly version: string;',
        '}',
      ].join('\n'),
    ]);
  });

  it('shows of a class that is exported as a type only what its instances have', () => {
    const files = {
      'lib/index.d.ts': "export type { Cluster } from './cluster';",
      'lib/cluster.d.ts':
        'export declare class Cluster { constructor(); static find(): Cluster; readonly name: string; }',
    };
    expect(entriesFrom(files).map(({ section, signature }) => [section, signature])).toEqual([
      ['Types', 'class Cluster {\n  readonly name: string;\n}'],
    ]);
  });

  it('calls everything by its public name', () => {
    const files = {
      'lib/index.d.ts': `
        export { Inner as Outer } from './inner/inner';
        export declare function make<Inner>(name: Inner): void;
        import type { Inner as Local } from './inner/inner';
        export type Pair = readonly [Local, Local];`,
      'lib/inner/inner.d.ts': 'export interface Inner { readonly again?: Inner }',
    };
    expect(signatures(files)).toEqual([
      'interface Outer {\n  readonly again?: Outer;\n}',
      'function make<Inner>(name: Inner): void;',
      'type Pair = readonly [Outer, Outer];',
    ]);
  });

  it('finds names that nobody can import, of types, base classes, constants and keys', () => {
    const files = {
      'lib/index.d.ts': `
        import type { Construct } from 'constructs';
        import { Base } from './base';
        declare const KEY: unique symbol;
        interface Props { readonly scope: Construct }
        export declare class Mesh extends Base { constructor(props: Partial<Props>); [KEY]: Map<string, Date>; }
        export declare const mode: typeof KEY;`,
      'lib/base.d.ts': 'export declare class Base {}',
    };
    expect(entriesFrom(files).map(({ name, hidden }) => [name, [...hidden].sort()])).toEqual([
      ['Mesh', ['lib/base.d.ts#Base', 'lib/index.d.ts#KEY', 'lib/index.d.ts#Props']],
      ['mode', ['lib/index.d.ts#KEY']],
    ]);
  });

  it('spells out the keys of tables and the elements of lists', () => {
    const files = {
      'lib/index.d.ts': `
        import { TABLE } from './table';
        declare const LIST: readonly ['one', 'two'];
        export type Key = keyof typeof TABLE;
        export type Element = (typeof LIST)[number];
        export type Member = keyof Date;`,
      'lib/table.d.ts': "export declare const TABLE: { readonly a: 1; readonly 'b-c': 2 };",
    };
    expect(signatures(files)).toEqual([
      "type Key = 'a' | 'b-c';",
      "type Element = 'one' | 'two';",
      'type Member = keyof Date;',
    ]);
    expect(entriesFrom(files).flatMap(({ hidden }) => hidden)).toEqual([]);
  });

  it('refers to generated types instead of repeating them', () => {
    const files = {
      'lib/index.d.ts': `
        import type { Values } from '../imports/charts/viz';
        export type { EnvVar } from '../imports/kubernetes';
        export type VizValues = Values;`,
      'imports/kubernetes.d.ts': 'export interface EnvVar { readonly name: string }',
      'imports/charts/viz.d.ts': 'export interface Values { readonly a: string }',
    };
    expect(entriesFrom(files).map(({ signature, hidden }) => [signature, hidden])).toEqual([
      ["import { EnvVar } from 'imports/kubernetes';", []],
      ["type VizValues = import('imports/charts/viz').Values;", ['imports/charts/viz.d.ts#Values']],
    ]);
  });
});

describe('apiDocument', () => {
  it('has a section for each kind and each namespace, whose names are sorted', () => {
    const files = {
      'lib/index.d.ts': "export * as keys from './keys';\nexport type B = string;\nexport type A = string;",
      'lib/keys.d.ts': "export { LABEL as NAME } from './names';",
      'lib/names.d.ts': "export declare const LABEL = 'name';",
    };
    const document = apiDocument(entriesFrom(files));
    expect(document).toContain('### Types\n\n```ts declarations\ntype A = string;\ntype B = string;\n```\n');
    expect(document).toContain("### keys\n\n```ts declarations\nconst NAME = 'name';\n```\n");
  });

  it('has a part for each module, and names what one takes from another', () => {
    const files: Readonly<Record<string, string>> = {
      'lib/index.d.ts': "export { Shop } from './shop';",
      'lib/recipes.d.ts': "import { Shop as Place } from './shop';\nexport declare function open(shop: Place): void;",
      'lib/shop.d.ts': 'export interface Shop {}',
    };
    const declarations = declarationsIn((path) => files[path] ?? '');
    const modules = { lib: 'lib/index.d.ts', 'lib/recipes': 'lib/recipes.d.ts' };
    const document = apiDocument(entriesOf(declarations, modules));
    expect(document).toContain('| [`lib`](#lib) | 1 |\n| [`lib/recipes`](#librecipes) | 1 |\n');
    expect(document).toMatch(/^## lib\n.*interface Shop.*^## lib\/recipes\n.*function open\(shop: Shop\): void;/ms);
    expect(document).not.toContain('### Classes');
  });
});
