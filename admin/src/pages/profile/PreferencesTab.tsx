// How the admin looks and behaves for this user.

import { keptLook, savePreferences, usePreferences } from "#session/preferences.ts";
import { RadioGroup } from "#ui/RadioGroup.tsx";
import { Select } from "#ui/Select.tsx";
import { Switch } from "#ui/Switch.tsx";
import { currentLanguage, languages, useWords } from "#words/language.ts";
import { profileWords } from "#words/profile.ts";
import { Part } from "./Part.tsx";
import styles from "./Profile.module.css";

export function PreferencesTab() {
  const words = useWords(profileWords);
  const preferences = { ...keptLook(), ...usePreferences() };
  return (
    <div className={styles.parts}>
      <Part title={words.tabs.preferences}>
        <div className={styles.fields}>
          <RadioGroup
            label={words.theme}
            look="segments"
            value={preferences.theme ?? "system"}
            onChange={(theme) => savePreferences({ theme: theme as "light" })}
            options={[
              { value: "light", label: words.light },
              { value: "dark", label: words.dark },
              { value: "system", label: words.system },
            ]}
          />
          <RadioGroup
            label={words.density}
            look="segments"
            value={preferences.density ?? "comfortable"}
            onChange={(density) => savePreferences({ density: density as "compact" })}
            options={[
              { value: "comfortable", label: words.comfortable },
              { value: "compact", label: words.compact },
            ]}
          />
          <Select
            label={words.language}
            value={currentLanguage()}
            onChange={(language) => savePreferences({ language })}
            options={Object.entries(languages).map(([value, label]) => ({ value, label }))}
          />
          <Switch
            label={words.shortcuts}
            description={words.shortcutsHelp}
            isSelected={preferences.shortcuts !== false}
            onChange={(shortcuts) => savePreferences({ shortcuts })}
          />
        </div>
      </Part>
    </div>
  );
}
