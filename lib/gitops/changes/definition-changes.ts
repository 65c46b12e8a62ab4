import type { Definition } from '../../linkerd/releases/definitions';
import { GATEWAY_API_GROUP } from '../../linkerd/releases/definitions';
import type { Installed } from '../synth/installed';

/** A CRD of which versions go, or that comes or goes as a whole. */
export interface DefinitionChange {
  readonly name: string;
  readonly before?: Definition;
  readonly after?: Definition;
  /** The versions that go: also those that stay defined, and are not served any more. */
  readonly unserved: readonly string[];
  /** The version that goes though it is the one in which objects are stored. */
  readonly stored: readonly string[];
  /** The versions that go, and in which an older definition may have stored objects. */
  readonly doubtful: readonly string[];
  /** The versions that come. */
  readonly added: readonly string[];
}

/** The CRDs that differ in their versions, by name. */
export function definitionChanges(
  before: readonly Definition[],
  after: readonly Definition[],
): readonly DefinitionChange[] {
  const [old, next] = [byName(before), byName(after)];
  const names = [...new Set([...old.keys(), ...next.keys()])].sort();
  return names.map((name) => changeOf(name, old.get(name), next.get(name))).filter(isChange);
}

/** The same of what two outputs install; of an output that does not say all of it, only CRDs that it is known to have. */
export function installedChanges(before: Installed, after: Installed): readonly DefinitionChange[] {
  return definitionChanges(knownBy(after, before.definitions), knownBy(before, after.definitions));
}

function knownBy({ definitions, isPartial }: Installed, others: readonly Definition[]): readonly Definition[] {
  const known = new Set(definitions.map(nameOf));
  return isPartial ? others.filter(({ name }) => known.has(name)) : others;
}

function changeOf(name: string, before: Definition | undefined, after: Definition | undefined): DefinitionChange {
  const known = { name, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
  // Argo CD does not delete what is gone from the output, so it keeps all of its versions.
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

/** The version in which objects are stored after a change. */
export function storageVersion({ versions }: Definition): string | undefined {
  return versions.find(({ storage }) => storage)?.name;
}

/** Tells a CRD of the Gateway API, which any of several products may bring. */
export function isOfGatewayApi(name: string): boolean {
  return name.endsWith(`.${GATEWAY_API_GROUP}`);
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function byName(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  return new Map(definitions.map((definition) => [definition.name, definition]));
}
