//+------------------------------------------------------------------+
//| Plimsoll: settings, and the calls of the terminal. Included last |
//| by an Expert Advisor that has defined                            |
//|   HISTORY_HINT     what to do when the history is not complete   |
//|   HalfUnit()       half of the smallest amount of the currency   |
//|   ReadHistory()    shows all deals to a Recorder                 |
//+------------------------------------------------------------------+
input string PlimsollUrl="https://plimsoll.example.com"; // Address of Plimsoll, without a path
input string AuthToken="";                               // Token with the scope "ingest"
input string AccountId="";                               // Id of the account in Plimsoll
input long   Login=0;                                    // Login of the account; no other is sent
input int    EverySeconds=1;                             // Seconds between snapshots, 1 to 60

Sender   g_sender;
Recorder g_recorder;
bool     g_isBusy=false;
int      g_lock=INVALID_HANDLE;   // Held open, so that a second chart can't send the same

//--- The address as requests need it; empty when it is none
string BaseUrl(void)
  {
   string url=PlimsollUrl;
   int    length=StringLen(url);
   while(length>0 && StringGetCharacter(url,length-1)=='/')
      length--;
   url=StringSubstr(url,0,length);
   if(StringFind(url,"http://")!=0 && StringFind(url,"https://")!=0)
      return("");
   return(url);
  }

int OnInit()
  {
   string url=BaseUrl();
   if(StringLen(url)==0 || StringLen(AuthToken)==0 || StringLen(AccountId)==0 || Login==0)
     {
      Print("Plimsoll: set PlimsollUrl (https://...), AuthToken, AccountId and Login first");
      return(INIT_PARAMETERS_INCORRECT);
     }
   //--- Another server or account begins anew, with files of its own
   string name="plimsoll-"+IntegerToString(Login)+"-"+HashOf(url+" "+AccountId);
   g_lock=FileOpen(name+".lock",FILE_WRITE|FILE_BIN);
   if(g_lock==INVALID_HANDLE)
     {
      Print("Plimsoll: it runs on another chart already, or it may not write files");
      return(INIT_FAILED);
     }
   g_sender.Open(url,AuthToken,name);
   g_recorder.Open(AccountId,name,HalfUnit());
   if(g_sender.rows.Count()>0)
      Print("Plimsoll: ",g_sender.rows.Count()," snapshots of an earlier run wait");
   int seconds=EverySeconds<1 ? 1 : EverySeconds>60 ? 60 : EverySeconds;
   return(EventSetTimer(seconds) ? INIT_SUCCEEDED : INIT_FAILED);
  }

void OnDeinit(const int reason)
  {
   EventKillTimer();
   Comment("");
   if(g_lock==INVALID_HANDLE)
      return;
   g_sender.Save();
   FileClose(g_lock);
   g_lock=INVALID_HANDLE;
  }

//--- While it is not connected, the terminal shows old numbers
bool IsAccountShown(void)
  {
   return(AccountInfoInteger(ACCOUNT_LOGIN)==Login && TerminalInfoInteger(TERMINAL_CONNECTED)!=0);
  }

void Record(void)
  {
   g_recorder.Begin();
   int historySize=ReadHistory(g_recorder);
   if(historySize>=0)
      g_recorder.Record(g_sender.rows,historySize);
  }

void ShowState(void)
  {
   string text=g_sender.Trouble();
   if(StringLen(text)==0)
      text=(IsAccountShown() ? "sending" : "waiting for login "+IntegerToString(Login));
   if(g_sender.rows.Count()>0)
      text+=" ("+IntegerToString(g_sender.rows.Count())+" snapshots wait)";
   Comment("Plimsoll: "+text);
  }

void OnTimer()
  {
   if(g_isBusy)
      return;
   g_isBusy=true;
   if(IsAccountShown())
      Record();
   g_sender.Send();
   g_sender.Save();
   if(g_sender.rows.Count()==0)
      g_recorder.SaveCursor();
   ShowState();
   g_isBusy=false;
  }
//+------------------------------------------------------------------+
