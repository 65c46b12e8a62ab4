import { WebhookClient } from '../../controller-runtime/webhook-client';
import type { OperatedMesh } from '../operated-mesh';

/** Asks a webhook of the running operator; returns its response, or the code and the text of an answer that has none. */
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
