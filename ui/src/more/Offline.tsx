import { useEffect, useState } from "preact/hooks";
import { CopyButton } from "../later/CopyButton";
import { type Choice, configurationOf, VENDORS, WIRES } from "./configuration";
import { isOffline, loadOffline } from "./responder";
import { words } from "./strings";

/** How to add a model, where the server has none. The form writes nothing: it shows the lines of the configuration. */
export function Offline() {
  const text = words.value.offline;
  const [choice, setChoice] = useState<Choice>({ ...VENDORS[0]!, address: "", wire: WIRES[0] });
  useEffect(() => void loadOffline(), []);
  if (!isOffline.value) return null;
  const change = (changed: Partial<Choice>) => setChoice({ ...choice, ...changed });
  const lines = configurationOf(choice);
  return (
    <section class="offline" aria-label={text.title}>
      <h2>{text.title}</h2>
      <p>{text.explanation}</p>
      <div class="fields">
        <label>
          {text.vendor}
          <select
            value={choice.vendor ?? ""}
            onChange={({ currentTarget }) => {
              const vendor = VENDORS.find(({ vendor }) => vendor === currentTarget.value);
              change(vendor ?? { vendor: undefined });
            }}
          >
            {VENDORS.map(({ vendor }) => (
              <option key={vendor} value={vendor}>
                {vendor}
              </option>
            ))}
            <option value="">{text.other}</option>
          </select>
        </label>
        {choice.vendor === undefined && (
          <>
            <TextField label={text.address} value={choice.address} set={(address) => change({ address })} />
            <label>
              {text.wire}
              <select value={choice.wire} onChange={({ currentTarget }) => change({ wire: currentTarget.value })}>
                {WIRES.map((wire) => (
                  <option key={wire}>{wire}</option>
                ))}
              </select>
            </label>
          </>
        )}
        <TextField label={text.model} value={choice.model} set={(model) => change({ model })} />
        <TextField label={text.key} value={choice.key} set={(key) => change({ key })} />
      </div>
      <pre tabIndex={0} aria-label={text.lines}>
        {lines}
      </pre>
      <CopyButton text={lines} />
    </section>
  );
}

function TextField({ label, value, set }: { label: string; value: string; set(value: string): void }) {
  return (
    <label>
      {label}
      <input
        type="text"
        dir="ltr"
        value={value}
        spellcheck={false}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}
