update settings set name = 'weekly-report' where name = 'postcard';
