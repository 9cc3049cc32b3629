import type { ComponentChildren } from "preact";

interface ScreenProps {
  title: string;
  /** What the screen is about, in a sentence. */
  lead?: string;
  /** A link to where the screen belongs. */
  back?: ComponentChildren;
  /** Controls beside the title. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of a screen: its title, and what belongs beside it. */
export function Screen({ title, lead, back, actions, children }: ScreenProps) {
  return (
    // A screen without controls is scrolled with the keyboard, too.
    <div class="screen admin" tabIndex={0}>
      <header class="screen-head">
        <div>
          {back && <p class="back">{back}</p>}
          <h1 dir="auto">{title}</h1>
          {lead && <p class="remark">{lead}</p>}
        </div>
        {actions && <p class="buttons">{actions}</p>}
      </header>
      {children}
    </div>
  );
}
