-- Undo finds the writers of an application or an automation.
CREATE INDEX writers_client ON writers (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX writers_automation ON writers (automation) WHERE automation IS NOT NULL;
