import { withUndefined } from '#tools/exact-optional/with-undefined';

test.each([
  ['a member', 'a?: string;', 'a?: (string) | undefined;'],
  ['a member with undefined', 'a?: string | undefined;', 'a?: string | undefined;'],
  ['a function', 'a?: (b: string) => void;', 'a?: ((b: string) => void) | undefined;'],
  ['alternatives', "a?: 'b' | 'c';", "a?: ('b' | 'c') | undefined;"],
  ['a function whose result may be undefined', 'a?: () => b | undefined;', 'a?: (() => b | undefined) | undefined;'],
  ['a list', 'a?: readonly string[];', 'a?: (readonly string[]) | undefined;'],
  ['members inside', 'a?: {\n  b?: 1;\n};', 'a?: ({\n  b?: (1) | undefined;\n}) | undefined;'],
  ['the last of several', '{ a?: 1; b?: 2 }', '{ a?: (1) | undefined; b?: (2) | undefined }'],
  ['a type argument with commas', 'a?: Record<string, number>;', 'a?: (Record<string, number>) | undefined;'],
  ['a function inside a type argument', 'a?: Map<() => 1, 2>;', 'a?: (Map<() => 1, 2>) | undefined;'],
  ['parameters', '(a?: string, b?: X<1>): void', '(a?: (string) | undefined, b?: (X<1>) | undefined): void'],
  ['a mapped type', '{ [K in keyof T]?: T[K] }', '{ [K in keyof T]?: (T[K]) | undefined }'],
  ['a mapped type without optional members', '{ [K in keyof T]-?: T[K] }', '{ [K in keyof T]-?: T[K] }'],
  ['comments and texts', '/* a?: b; */ c: "d?: e;"; // f?: g;', '/* a?: b; */ c: "d?: e;"; // f?: g;'],
  ['a condition', 'a: B extends C ? D : E;', 'a: B extends C ? D : E;'],
])('withUndefined handles %s', (_, declaration, expected) => expect(withUndefined(declaration)).toBe(expected));
