import { fileURLToPath } from 'node:url';
import { type IConstruct, Node } from 'constructs';
import type { FilePlace } from '#base/findings/finding';

/** The stack of each construct's creation. Node.js formats it only when it is read, which takes most of the time. */
const CREATED = new WeakMap<IConstruct, Error>();

/**
 * Calls a function, and records where it creates constructs. One method adds all constructs, also those of other
 * libraries, to their scopes. It is replaced until the function returns. The method is private: with a release of
 * constructs that lacks it, nothing is recorded.
 */
export function notingCreation<T>(create: () => T): T {
  const nodes = Node.prototype as unknown as { addChild?: (child: IConstruct, id: string) => void };
  const { addChild } = nodes;
  if (addChild === undefined) return create();
  nodes.addChild = function (child, id) {
    CREATED.set(child, stackHere());
    try {
      addChild.call(this, child, id);
    } catch (error) {
      // The stack must begin at the caller, because messages name its first line outside of packages.
      if (error instanceof Error) Error.captureStackTrace(error, nodes.addChild);
      throw error;
    }
  };
  try {
    return create();
  } finally {
    nodes.addChild = addChild;
  }
}

/** Returns a place with a path from the root of the repository; undefined outside it, or in a package. */
export type InRepository = (place: FilePlace) => FilePlace | undefined;

/**
 * Returns the place where the program creates the construct with a path, or the nearest parent with a known place;
 * undefined if no place is known.
 *
 * @param root the first construct of the path
 */
export function placeAt(root: IConstruct, path: string, inRepository: InRepository): FilePlace | undefined {
  const around: IConstruct[] = [];
  let construct: IConstruct | undefined = root;
  for (const id of path.split('/').slice(1)) {
    construct = construct.node.tryFindChild(id);
    if (construct === undefined) break;
    around.unshift(construct);
  }
  for (const one of around) {
    const place = userPlace(CREATED.get(one), inRepository);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Records where the program calls the library. Returns a function that finds the place, if it is known. */
export function callersPlace(inRepository: InRepository): () => FilePlace | undefined {
  const stack = stackHere();
  return () => userPlace(stack, inRepository);
}

/** Enough for the superclasses of a construct, and the constructs that create it. */
const MAX_FRAMES = 30;

function stackHere(): Error {
  const { stackTraceLimit } = Error;
  // `stackTraceLimit` is read-only if Node.js runs with --frozen-intrinsics.
  if (Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')?.writable !== true) return new Error();
  Error.stackTraceLimit = MAX_FRAMES;
  const error = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

/** A line of a stack of Node.js: `at new Shop (file:///platform/shop.ts:12:5)`. */
const FRAME = /^\s+at (?:(.*) \()?((?:file:\/\/)?\/.*?):(\d+):\d+\)?$/;

/** The end of the path of this file, in the folder of the library. */
const THIS_FILE = /lib\/gitops\/tree\/creation-places\.[jt]s$/;

/**
 * Returns the innermost line of the repository, up to the function that builds the cluster; undefined in a bundle
 * without a source map, in which the lines of the library are unknown.
 */
function userPlace(error: Error | undefined, inRepository: InRepository): FilePlace | undefined {
  // Programs may set Error.prepareStackTrace.
  const stack: unknown = error?.stack;
  const [here, ...frames] = typeof stack === 'string' ? stack.split('\n').flatMap(frameOf) : [];
  if (here === undefined || !THIS_FILE.test(here.file)) return undefined;
  const root = here.file.replace(THIS_FILE, '');
  const isLibrary = (file: string) => ['lib/', 'packages/'].some((folder) => file.startsWith(`${root}${folder}`));
  for (const { file, line, name } of frames) {
    if (file === here.file && name.endsWith(notingCreation.name)) return undefined;
    const place = isLibrary(file) ? undefined : inRepository({ file, line });
    if (place !== undefined) return place;
  }
  return undefined;
}

function frameOf(text: string): readonly (FilePlace & { readonly line: number; readonly name: string })[] {
  const [, name = '', path, line] = (text.includes('eval at ') ? undefined : FRAME.exec(text)) ?? [];
  return path === undefined
    ? []
    : [{ file: path.startsWith('file:') ? fileURLToPath(path) : path, line: Number(line), name }];
}
