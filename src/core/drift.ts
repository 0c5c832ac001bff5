/** Whether the model that answers is still the one that was chosen: servers change what stands behind a name without a word. Pure. */

/** What the operator pinned. A null fingerprint: any will do. */
export type Pin = { readonly model: string; readonly fingerprint: string | null };
export type Seen = { readonly model: string; readonly fingerprint: string | null };

export type Drift = { readonly expected: Pin; readonly seen: Seen };

/**
 * Tells a drift once per change: null where `seen` fits the pin, or where this very drift was the last thing told.
 * Without a pin the first model that answered is the measure, and fingerprints, which vary by machine, are left alone.
 */
export const createDriftWatch = (pin: Pin | null): ((seen: Seen) => Drift | null) => {
  let expected = pin;
  let last: Seen | null = null;
  return (seen) => {
    expected ??= { model: seen.model, fingerprint: null };
    const before = last;
    last = seen;
    const fits = seen.model === expected.model && (expected.fingerprint === null || seen.fingerprint === expected.fingerprint);
    if (fits) return null;
    const same =
      before !== null && before.model === seen.model && (expected.fingerprint === null || before.fingerprint === seen.fingerprint);
    return same ? null : { expected, seen };
  };
};
