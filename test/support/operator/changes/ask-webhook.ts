import { WebhookClient } from '../../controller-runtime/webhook-client';
import type { OperatedMesh } from '../operated-mesh';

/** Sends a request to a webhook of the running operator. Returns its response, or an error's code and text. */
export async function askWebhook(
  { operator, installation }: OperatedMesh,
  path: string,
  body: string,
): Promise<unknown> {
  const client = new WebhookClient(operator().webhookPort ?? 0, { ca: installation.ca.cert });
  try {
    const { code, text } = await client.send({ path, body });
    return code === 200 ? JSON.parse(text).response : { code, text };
  } finally {
    client.close();
  }
}
