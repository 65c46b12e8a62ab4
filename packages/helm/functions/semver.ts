import { define, goInt } from '../go/define';
import { isGoObject } from '../go/reflect';
import type { Budget, GoFunctions, GoMethod, GoObject, GoValue } from '../go/values';
import { FunctionError, GoInt } from '../go/values';
import { checkConstraint, readConstraint } from './constraints';
import {
  checkMetadata,
  checkPrerelease,
  compareVersions,
  readVersion,
  type Version,
  versionText,
  withCore,
} from './version';

const POINTER_TYPE = '*semver.Version';
const NO_FIELDS: ReadonlyMap<string, GoValue> = new Map();

/** Whether a version satisfies a constraint, as in Masterminds/semver. @throws FunctionError if either is invalid */
export function satisfies(constraint: string, version: string, budget: Budget): boolean {
  return checkConstraint(readConstraint(constraint, budget), readVersion(version));
}

/** A version that `semver` returns: a pointer, with all methods of the Go type. */
function versionObject(version: Version): GoObject {
  const methods = new Map([...valueMethods(version), ...pointerMethods(version)]);
  return { goType: POINTER_TYPE, goKind: 'ptr', data: versionText(version), fields: NO_FIELDS, methods };
}

/** A version that a method returns: a struct, which lacks the methods for comparison. */
function versionValue(version: Version): GoObject {
  const methods = new Map(valueMethods(version));
  return { goType: 'semver.Version', goKind: 'struct', data: versionText(version), fields: NO_FIELDS, methods };
}

function valueMethods(version: Version): [string, GoMethod][] {
  const { major, minor, patch, prerelease, metadata } = version;
  const getter = (value: GoValue): GoMethod => define([], () => value);
  const next = (core: readonly [bigint, bigint, bigint]): GoMethod =>
    define([], () => versionValue(withCore(version, core)));
  return [
    ['String', getter(versionText(version))],
    ['Major', getter(new GoInt(major, 'uint64'))],
    ['Minor', getter(new GoInt(minor, 'uint64'))],
    ['Patch', getter(new GoInt(patch, 'uint64'))],
    ['Prerelease', getter(prerelease)],
    ['Metadata', getter(metadata)],
    ['IncMajor', next([major + 1n, 0n, 0n])],
    ['IncMinor', next([major, minor + 1n, 0n])],
    ['IncPatch', next([major, minor, prerelease === '' ? patch + 1n : patch])],
    ['SetPrerelease', define(['string'], ([text]) => versionValue({ ...version, prerelease: checkPrerelease(text) }))],
    ['SetMetadata', define(['string'], ([text]) => versionValue({ ...version, metadata: checkMetadata(text) }))],
  ];
}

function pointerMethods(version: Version): [string, GoMethod][] {
  const comparison = (judge: (order: number) => GoValue): GoMethod =>
    define(['any'], ([other]) => judge(compareVersions(version, versionOf(other))));
  return [
    ['Original', define([], () => version.original)],
    ['Compare', comparison((order) => goInt(order))],
    ['Equal', comparison((order) => order === 0)],
    ['LessThan', comparison((order) => order < 0)],
    ['LessThanEqual', comparison((order) => order <= 0)],
    ['GreaterThan', comparison((order) => order > 0)],
    ['GreaterThanEqual', comparison((order) => order >= 0)],
  ];
}

function versionOf(value: GoValue): Version {
  if (isGoObject(value) && value.goType === POINTER_TYPE && typeof value.data === 'string')
    return readVersion(value.data);
  throw new FunctionError(`wrong type for value; expected ${POINTER_TYPE}`);
}

/** Functions of semantic versions. */
export const semverFunctions: GoFunctions = new Map(
  Object.entries({
    semver: define(['string'], ([text]) => versionObject(readVersion(text))),
    semverCompare: define(['string', 'string'], ([constraint, version], budget) =>
      satisfies(constraint, version, budget),
    ),
  }),
);
