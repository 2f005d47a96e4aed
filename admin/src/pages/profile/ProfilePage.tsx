// What belongs to the signed-in user: name and address, ways to sign in, sessions, connected applications, preferences.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { linkProps } from "#shell/links.tsx";
import { Page } from "#shell/Page.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { ConnectionsTab } from "./ConnectionsTab.tsx";
import { PreferencesTab } from "./PreferencesTab.tsx";
import { ProfileTab } from "./ProfileTab.tsx";
import { SecurityTab } from "./SecurityTab.tsx";

const panels = {
  profile: ProfileTab,
  security: SecurityTab,
  connections: ConnectionsTab,
  preferences: PreferencesTab,
};
type TabId = keyof typeof panels;

export function ProfilePage() {
  const words = useWords(profileWords);
  const { tab = "" } = useSearch({ strict: false });
  const navigate = useNavigate();
  const selected: TabId = tab in panels ? (tab as TabId) : "profile";
  const Panel = panels[selected];
  const select = (id: string) =>
    void navigate({ ...linkProps({ to: "/admin/profile", search: { tab: id } }), resetScroll: false });
  return (
    <Page title={words.title}>
      <Tabs
        label={words.title}
        tabs={Object.entries(words.tabs).map(([id, label]) => ({ id, label }))}
        selected={selected}
        onSelect={select}
      >
        <Panel />
      </Tabs>
    </Page>
  );
}
