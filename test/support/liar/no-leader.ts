/** In the place of the window that leads: nobody watches, so that nobody asks but who was called. */
export async function leadAlone(): Promise<void> {
  await Promise.resolve();
}
