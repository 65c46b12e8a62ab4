import type { Problem } from '../kubernetes/problem';
import { quantityOf } from '../kubernetes/quantity';

/** The amount of a resource that is set aside for a container, and the most that it may use. */
export type ResourceRange = {
  /**
   * A Kubernetes quantity. At most `limit`.
   *
   * @default - what the chart has, or the mesh
   */
  readonly request?: string;

  /**
   * A Kubernetes quantity.
   *
   * @default - what the chart has, or the mesh
   */
  readonly limit?: string;
};

/**
 * Checks an amount by what Kubernetes would refuse in a pod, or the proxy injector would pass over.
 *
 * @param whole whether the resource is counted in whole units (bytes), of which a quantity must not be a fraction
 */
export function checkAmount(field: string, amount: ResourceRange, whole: boolean): readonly Problem[] {
  const { request, limit } = amount;
  const problems = [
    ...(request === undefined ? [] : checkQuantity(`${field}.request`, request, whole)),
    ...(limit === undefined ? [] : checkQuantity(`${field}.limit`, limit, whole)),
  ];
  const least = request === undefined ? undefined : quantityOf(request);
  const most = limit === undefined ? undefined : quantityOf(limit);
  if (least !== undefined && most !== undefined && least > most) {
    problems.push({
      code: 'request-over-limit',
      about: `${field}.request`,
      what: `${field}.request is ${request}, more than ${field}.limit of ${limit}`,
      why: 'Kubernetes refuses each pod with such a container',
      fix: `set ${field}.limit to ${request} or more, or lower ${field}.request`,
    });
  }
  return problems;
}

function checkQuantity(field: string, text: string, whole: boolean): readonly Problem[] {
  const value = quantityOf(text);
  if (value === undefined) {
    return [
      {
        code: 'quantity-refused',
        about: field,
        what: `${field} is "${text}"`,
        why: 'It is no Kubernetes quantity: as an annotation the proxy injector passes over it, and pods with it in their spec are refused',
        fix: `write a number with an optional unit, "${whole ? '250Mi' : '100m'}" for instance`,
      },
    ];
  }
  if (value < 0) {
    return [
      {
        code: 'quantity-negative',
        about: field,
        what: `${field} is ${text}`,
        why: 'Kubernetes refuses each pod with such a container: quantities of resources are not negative',
        fix: `remove the sign from ${field}`,
      },
    ];
  }
  if (!whole || Number.isInteger(value)) return [];
  return [
    {
      code: 'quantity-not-whole',
      about: field,
      what: `${field} is ${text}, which is ${value} bytes`,
      why: 'Memory and storage come in whole bytes ("m" stands for a thousandth): the container would be left with next to nothing and be killed at its start',
      fix: `write ${field} with a binary unit, "250Mi" for instance`,
    },
  ];
}
