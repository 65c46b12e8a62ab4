import { declarationsIn } from '#tools/api/declarations';
import { entriesOf } from '#tools/api/report';

test('entriesOf finds types, base classes, constants and keys in signatures that no module exports', () => {
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
  const declarations = declarationsIn((path) => files[path as keyof typeof files] ?? '');
  expect(
    entriesOf(declarations, { lib: 'lib/index.d.ts' }).map(({ name, hidden }) => [name, [...hidden].sort()]),
  ).toEqual([
    ['Mesh', ['lib/base.d.ts#Base', 'lib/index.d.ts#KEY', 'lib/index.d.ts#Props']],
    ['mode', ['lib/index.d.ts#KEY']],
  ]);
});
