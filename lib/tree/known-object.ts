import { ApiObject, type ApiObjectProps, Chart, type JsonPatch } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from '../kubernetes/kubernetes-object';
import { Cluster } from './cluster';
import { asManifest } from './manifest';
import { setReading } from './plain-json';
import { declareUnchanged } from './unchanged-data';

/**
 * An object that is plain data from the start, as those of a chart are, and knows whether anybody has done anything to
 * it: what follows from the data need not be found again.
 */
export class KnownObject extends ApiObject {
  /** All of the object but its metadata, in the map that cdk8s reads. */
  private readonly content: Record<string, unknown>;
  private readonly isAlone: boolean;
  private isReading = false;
  private isTouched = false;
  private current: KubernetesObject;

  constructor(scope: Construct, id: string, data: KubernetesObject) {
    const content: Record<string, unknown> = { ...data };
    super(scope, id, content as unknown as ApiObjectProps);
    this.content = content;
    this.current = data;
    // Other charts may have labels and a namespace for all that is in them.
    this.isAlone = Chart.of(this) === Cluster.find(this);
    asManifest(this);
    this.isTouched = false;
    declareUnchanged(this, () => (this.isAlone && !this.isTouched ? this.current : undefined));
    setReading(this, (read) => this.whileReading(read));
    const { metadata } = this;
    Object.defineProperty(this, 'metadata', {
      get: () => {
        this.isTouched ||= !this.isReading;
        return metadata;
      },
    });
  }

  /** The data that it is made of. */
  get data(): KubernetesObject {
    return this.current;
  }

  override addJsonPatch(...operations: JsonPatch[]): void {
    this.isTouched = true;
    super.addJsonPatch(...operations);
  }

  override toJson(): unknown {
    return this.whileReading(() => super.toJson());
  }

  /**
   * Makes it of other data; what was done to it stays. cdk8s reads the content when it is asked, and has copied the
   * metadata.
   */
  become(data: KubernetesObject): void {
    const { content, current } = this;
    if (data === current) return;
    for (const key of Object.keys(content)) if (key !== 'metadata') delete content[key];
    const { metadata, ...others } = data;
    Object.assign(content, others);
    const now = this.metadata.toJson() as Partial<KubernetesObject['metadata']>;
    for (const [key, value] of changes(current.metadata.labels, metadata.labels, now.labels)) {
      this.metadata.addLabel(key, value);
    }
    for (const [key, value] of changes(current.metadata.annotations, metadata.annotations, now.annotations)) {
      this.metadata.addAnnotation(key, value);
    }
    this.current = data;
  }

  private whileReading<T>(read: () => T): T {
    this.isReading = true;
    try {
      return read();
    } finally {
      this.isReading = false;
    }
  }
}

type Texts = Readonly<Record<string, string>>;

/** The texts that other data has different, but for those that somebody changed; absent ones become undefined. */
function changes(before: Texts = {}, after: Texts = {}, now: Texts = {}): readonly [string, string][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => before[key] !== after[key] && now[key] === before[key])
    .map((key) => [key, after[key] as string]);
}
