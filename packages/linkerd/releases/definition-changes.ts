import type { Definition } from './definitions';
import { GATEWAY_API_GROUP } from './definitions';
import type { Installed } from './installed';

/** A CRD that is added or removed, or loses versions. */
export interface DefinitionChange {
  readonly name: string;
  readonly before?: Definition;
  readonly after?: Definition;
  /** The removed versions, including those that stay defined but are no longer served. */
  readonly unserved: readonly string[];
  /** The removed version in which objects are stored. */
  readonly stored: readonly string[];
  /** The removed versions in which an older definition may have stored objects. */
  readonly doubtful: readonly string[];
  /** The added versions. */
  readonly added: readonly string[];
}

/** Returns the CRDs whose versions differ, by name. */
export function definitionChanges(
  before: readonly Definition[],
  after: readonly Definition[],
): readonly DefinitionChange[] {
  const [old, next] = [byName(before), byName(after)];
  const names = [...new Set([...old.keys(), ...next.keys()])].sort();
  return names.map((name) => changeOf(name, old.get(name), next.get(name))).filter(isChange);
}

/** Compares the CRDs that two outputs install. For an incomplete output, compares only CRDs that it certainly has. */
export function installedChanges(before: Installed, after: Installed): readonly DefinitionChange[] {
  return definitionChanges(knownBy(after, before.definitions), knownBy(before, after.definitions));
}

function knownBy({ definitions, isPartial }: Installed, others: readonly Definition[]): readonly Definition[] {
  const known = new Set(definitions.map(nameOf));
  return isPartial ? others.filter(({ name }) => known.has(name)) : others;
}

function changeOf(name: string, before: Definition | undefined, after: Definition | undefined): DefinitionChange {
  const known = { name, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  // Argo CD does not delete CRDs that are removed from the output, so all versions stay.
  if (before === undefined || after === undefined)
    return { ...known, unserved: [], stored: [], doubtful: [], added: [] };
  const served = new Set(after.versions.filter((version) => version.served).map((version) => version.name));
  const defined = new Set(after.versions.map((version) => version.name));
  const gone = before.versions.filter((version) => !defined.has(version.name));
  const had = new Set(before.versions.map((version) => version.name));
  return {
    ...known,
    unserved: before.versions.filter((version) => version.served && !served.has(version.name)).map(nameOf),
    stored: gone.filter(({ storage }) => storage).map(nameOf),
    doubtful: gone.filter(({ storage }) => !storage).map(nameOf),
    added: after.versions.map(nameOf).filter((version) => !had.has(version)),
  };
}

function isChange({ before, after, unserved, stored, doubtful, added }: DefinitionChange): boolean {
  return (
    (before === undefined) !== (after === undefined) || [unserved, stored, doubtful, added].some((of) => of.length > 0)
  );
}

/** Returns the version in which objects are stored after a change. */
export function storageVersion({ versions }: Definition): string | undefined {
  return versions.find(({ storage }) => storage)?.name;
}

/** Whether a CRD belongs to the Gateway API, which several products may install. */
export function isOfGatewayApi(name: string): boolean {
  return name.endsWith(`.${GATEWAY_API_GROUP}`);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function byName(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
