import { Construct, type IConstruct } from 'constructs';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';

/**
 * A construct that adds objects that depend on all other constructs. It is prepared once, when all of them exist: by a
 * Platform after a cluster is built, by a plain cdk8s App when it validates itself.
 */
export interface IPreparable {
  /** Adds constructs below this one. */
  prepare(): void;
}

/** A construct whose whole content depends on all other constructs. */
export class PreparedConstruct extends Construct implements IPreparable {
  constructor(
    scope: Construct,
    id: string,
    private readonly add: (self: Construct) => void,
  ) {
    super(scope, id);
  }

  prepare(): void {
    this.add(this);
  }
}

/** An object that would be a child of a construct, under its id. */
export interface PlainObject {
  readonly id: string;
  readonly object: KubernetesObject;
  /**
   * The object to check instead: it differs only in parts that are known to be valid.
   *
   * @default - itself
   */
  readonly checkedAs?: KubernetesObject | undefined;
  /**
   * The id of another object of the construct, which Argo CD syncs first.
   *
   * @default - none
   */
  readonly after?: string | undefined;
}

const PLAIN_OBJECTS = 'cdk8s-linkerd:plain-objects';

/**
 * Declares the objects that `prepare` of a construct would add, if they are known without constructs. A Platform reads
 * these instead. Undefined if they are not known.
 */
export function declarePlainObjects(construct: IPreparable & IConstruct, objects: PlainObjects): void {
  construct.node.addMetadata(PLAIN_OBJECTS, objects);
}

type PlainObjects = () => readonly PlainObject[] | undefined;

/** Returns the objects of a construct that need no constructs of their own. */
export function plainObjectsOf(construct: IConstruct): readonly PlainObject[] | undefined {
  const objects = construct.node.metadata.find(({ type }) => type === PLAIN_OBJECTS)?.data as PlainObjects | undefined;
  return objects?.();
}

const PREPARED = new WeakSet<IConstruct>();

/**
 * Prepares a construct and all below it, each once.
 *
 * @param by - cdk8s writes only constructs, a Platform also plain objects
 */
export function prepareTree(construct: IConstruct, by: 'Platform' | 'cdk8s'): void {
  if (by === 'Platform' && plainObjectsOf(construct) !== undefined) return;
  if (isPreparable(construct) && !PREPARED.has(construct)) {
    // Noted before the call, in which a lookup may prepare all other constructs.
    PREPARED.add(construct);
    construct.prepare();
  }
  for (const child of construct.node.children) prepareTree(child, by);
}

function isPreparable(construct: object): construct is IPreparable {
  return 'prepare' in construct && typeof construct.prepare === 'function';
}
