import { quantityOf } from '../../operator/api/quantity';
import type { Problem } from '../problems/problem';

/** A request and a limit of one resource, as Kubernetes quantities such as `100m` or `250Mi`. */
export type ResourceRange = {
  /**
   * The amount that the scheduler sets aside. At most `limit`.
   *
   * @default - none; of proxies, the mesh's
   */
  readonly request?: string;
  /**
   * The most that the container may use.
   *
   * @default - none; of proxies, the mesh's
   */
  readonly limit?: string;
};

/** Resources of a container, in the form that Linkerd's charts have them. */
export type ContainerResources = {
  /**
   * Cores, such as `1` or `100m`.
   *
   * @default - neither request nor limit
   */
  readonly cpu?: ResourceRange;
  /**
   * Bytes, such as `250Mi`.
   *
   * @default - neither request nor limit
   */
  readonly memory?: ResourceRange;
};

/** Checks what Kubernetes refuses as resources. */
export function checkResources(field: string, resources: ContainerResources): Problem[] {
  return Object.entries(resources).flatMap(([resource, range]: [string, ResourceRange | undefined]) => [
    ...Object.entries(range ?? {}).flatMap(([bound, quantity]: [string, string | undefined]) =>
      quantity === undefined || quantityOf(quantity) !== undefined
        ? []
        : [
            {
              what: `${field}.${resource}.${bound} is "${quantity}"`,
              why: 'Kubernetes refuses it: it is no quantity',
              fix:
                resource === 'cpu' ? 'write cores ("1") or milli-cores ("100m")' : 'write bytes with a unit ("250Mi")',
            },
          ],
    ),
    ...checkRange(`${field}.${resource}`, range ?? {}),
  ]);
}

function checkRange(field: string, { request, limit }: ResourceRange): Problem[] {
  const [least, most] = [quantityOf(request ?? ''), quantityOf(limit ?? '')];
  if (least === undefined || most === undefined || least <= most) return [];
  return [
    {
      what: `${field}.request is ${request}, more than ${field}.limit of ${limit}`,
      why: 'Kubernetes refuses it',
      fix: `set ${field}.limit to ${request} or more, or lower ${field}.request`,
    },
  ];
}
