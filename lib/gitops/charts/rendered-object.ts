import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { asManifest } from '../tree/manifest';

/** An object of a chart as a construct, which may yet become another: values that come later change it. */
export class RenderedObject extends ApiObject {
  /** All of the object but its metadata, in the map that cdk8s reads. */
  private readonly content: Record<string, unknown>;
  private current: KubernetesObject;

  constructor(scope: Construct, id: string, data: KubernetesObject) {
    const content: Record<string, unknown> = { ...data };
    super(scope, id, content as unknown as ApiObjectProps);
    this.content = content;
    this.current = data;
    asManifest(this);
  }

  /** The data that it is made of. */
  get data(): KubernetesObject {
    return this.current;
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
}

type Texts = Readonly<Record<string, string>>;

/** The texts that other data has different, but for those that somebody changed; absent ones become undefined. */
function changes(before: Texts = {}, after: Texts = {}, now: Texts = {}): readonly [string, string][] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => before[key] !== after[key] && now[key] === before[key])
    .map((key) => [key, after[key] as string]);
}
